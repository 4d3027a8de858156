import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../repo/repository.ts';

/** The recorded exchanges of eth_simulateV1, as far as another chain can answer alike: what calls did, and what ends a simulation. */

interface Failure {
  readonly code: number;
  readonly message: string;
  readonly data?: string;
}

/** A call as the answer tells it. */
export interface CallAnswer {
  readonly status: string;
  readonly returnData: string;
  readonly gasUsed: string;
  readonly maxUsedGas: string;
  readonly error?: Failure;
}

export interface Simulation {
  readonly name: string;
  readonly payload: object;
  readonly answer: { readonly error: Failure } | { readonly calls: readonly (readonly CallAnswer[])[] };
  /** Why this chain answers otherwise; null where it answers alike. */
  readonly otherwise: string | null;
}

const otherTimes = 'names times or heights of the other chain';
const otherChain = 'the contract tells the chain id';
const blobs = 'there are no blobs';
const otherProposer = 'the beneficiary is the proposer of the other chain, and so warm there';

const otherwise: Readonly<Record<string, string>> = {
  'add-more-non-defined-BlockStateCalls-than-fit-but-now-with-fit': otherTimes,
  blobs,
  'block-override-reflected-in-contract': otherTimes,
  'block-override-reflected-in-contract-simple': otherTimes,
  'block-timestamps-incrementing': otherTimes,
  'blockhash-complex': otherTimes,
  'blockhash-simple': 'the hash of another block',
  'blockhash-start-before-head': otherTimes,
  'blocknumber-increment': otherTimes,
  'contract-calls-itself': otherChain,
  'empty-with-block-num-set-current': otherTimes,
  'empty-with-block-num-set-minusone': otherTimes,
  'empty-with-block-num-set-plus1': otherTimes,
  'fee-recipient-receiving-funds': otherTimes,
  'get-block-properties': otherChain,
  'make-call-with-future-block': otherTimes,
  'override-all-in-BlockStateCalls': otherTimes,
  'override-block-num': otherTimes,
  'overflow-nonce-validation': 'the node is not at fault: -38011 in place of -32603',
  'overwrite-existing-contract': otherChain,
  'self-destructing-state-override': otherProposer,
  'self-destructive-contract-produces-logs': otherProposer,
  'simple-more-params-validate': blobs,
  'two-blocks-with-complete-eth-sends': blobs,
  'use-as-many-features-as-possible': blobs,
};

const file = join(root, 'test', 'conformance', 'executionApis', 'testdata', 'simulations.json');
const { tests } = JSON.parse(readFileSync(file, 'utf8')) as {
  tests: Readonly<Record<string, Pick<Simulation, 'payload' | 'answer'>>>;
};

export const simulations: readonly Simulation[] = Object.entries(tests).map(([name, { payload, answer }]) => ({
  name,
  payload,
  answer,
  otherwise: otherwise[name] ?? null,
}));

/** The pattern of the specification begins with these words, the recorded answers lack them. */
const vmWords = 'vm execution error: ';

/** What has to be equal in two answers about a call. */
export const comparable = ({ status, returnData, gasUsed, maxUsedGas, error }: CallAnswer): object => ({
  status,
  returnData,
  gasUsed,
  maxUsedGas,
  error: error === undefined ? null : { ...error, message: error.message.replace(vmWords, '') },
});
