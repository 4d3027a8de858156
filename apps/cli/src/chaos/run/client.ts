import { BaseError } from 'viem';
import { type NodeClient, nodeClient } from '../../rpc.ts';

/** A node under chaos may stop in the middle of an answer: so long for the whole of it, ms. */
const answerMsMax = 15_000;

/** A client of the SDK that tells what a node does: nothing is asked twice, and a node that does not answer in time failed. */
export const clientOf = (url: string, timeoutMs = answerMsMax): NodeClient =>
  nodeClient({ url, apiKey: null }, { timeoutMs });

/** What went wrong, in one line: viem's messages go on with the whole request. */
export const wordsOf = (thrown: unknown): string =>
  thrown instanceof BaseError ? `${thrown.shortMessage} ${thrown.details}`.trim() : (thrown as Error).message;
