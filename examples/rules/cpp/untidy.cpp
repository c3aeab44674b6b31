// Pasted from somewhere.
DEF_PACKAGE_OPTIMIZATION(EARLY+2, Op("Scale",  "X","F"),OK, /* the core has it */ Op(FROM_DEFAULT_PACKAGE("ElementWiseMultiply"),"X",   "F"))
int unrelated( ) { return 1 ; }
