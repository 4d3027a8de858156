import { getConsensusStatus, getRegisteredValidators } from '@prime/sdk';
import { ofNode } from './ofNode.ts';
import { createPoll } from './poll.ts';

const statusEveryMs = 1_000;
const registeredEveryMs = 10_000;

/** The height that is being decided. */
export const consensusOf = ofNode(({ client }) => createPoll(() => getConsensusStatus(client.sdk), statusEveryMs));

/** Everybody with stake, in the set or not; empty where the set never changes. */
export const registeredOf = ofNode(({ client }) =>
  createPoll(() => getRegisteredValidators(client.sdk), registeredEveryMs),
);
