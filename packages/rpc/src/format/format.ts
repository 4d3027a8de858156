/** Whose names the fields of an answer have: those of execution-apis, or this chain's own. */
export type Format = 'eth' | 'native';

/** A JSON object in the making. */
export type Json = Record<string, unknown>;
