// Filled in with the build.
