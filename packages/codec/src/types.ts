/**
 * The data model of the chain: what validators agree on, in the shape that code works with.
 *
 * Hashes and addresses are lower-case hex strings (they are map keys and end up in JSON), payloads are bytes.
 * The canonical bytes of each type are made in the file named after it; docs/protocol/encoding.md is the specification.
 */

export type * from './actions/actionTypes.ts';
export type * from './consensus/consensusTypes.ts';
export type * from './outcomes/outcomeTypes.ts';
