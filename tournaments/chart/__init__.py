"""The chart of stages over time: plain functions from a picture to SVG."""
