"""The OpenAPI description: what each call says of itself, and how that becomes one document."""
