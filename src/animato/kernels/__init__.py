"""What compiled code is made of: the compiler's decorators, lanes, vectors, quaternions, spatial algebra."""
