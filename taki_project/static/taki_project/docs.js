"use strict";
// The viewer reads the description of its own service and asks nobody else.
const place = document.getElementById("docs");
SwaggerUIBundle({
  domNode: place,
  url: place.dataset.description,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: "list",
  filter: true,
  persistAuthorization: false,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  validatorUrl: null,
});
