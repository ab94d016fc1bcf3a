#ifndef CSTANDARDSTREAMS_H
#define CSTANDARDSTREAMS_H

/// Opens /dev/null for those of descriptors 0, 1 and 2 that are closed. Called before `main` of every
/// program that this is linked into: nothing needs to be called.
void cstandardstreams_open(void);

/// Whether a standard stream was closed when the program started, and is /dev/null since.
int cstandardstreams_was_closed(int descriptor);

#endif
