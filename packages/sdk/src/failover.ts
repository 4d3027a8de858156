import { createTransport, shouldThrow, type Transport, type TransportConfig, UnknownRpcError } from 'viem';
import { TransportMissingError } from './errors/own.ts';

/** A transport over several. */
export type FailoverTransport = Transport<
  'failover',
  { readonly transports: readonly Pick<ReturnType<Transport>, 'value'>[] }
>;

/** How often all of them are asked again where none answers, and after how many ms. */
export type FailoverConfig = Pick<TransportConfig, 'retryCount' | 'retryDelay'>;

/** Whether a node said so itself: viem gives what a node answers a number of JSON-RPC, and what a program throws the same class without one. */
const isAnswer = (error: unknown): boolean =>
  typeof (error as { readonly code?: unknown }).code === 'number' && !(error instanceof UnknownRpcError);

/**
 * Nodes of one network as one. The node that answered last is asked first, and the others in turn where it does not answer or cannot tell.
 *
 * viem's `fallback` begins with the first node at each request. While that one hangs, each request waits for its deadline before another node is asked.
 *
 * @param transports in the order in which they are asked at first; clients that are made with one `failover` share what it learned
 * @throws TransportMissingError where there is none
 */
export function failover(
  transports: readonly Transport[],
  { retryCount, retryDelay }: FailoverConfig = {},
): FailoverTransport {
  if (transports.length === 0) throw new TransportMissingError();
  let first = 0;
  return ({ chain, ...options }) => {
    const each = transports.map((transport) => transport({ ...options, chain, retryCount: 0 }));
    return createTransport(
      {
        key: 'failover',
        name: 'Failover',
        type: 'failover',
        retryCount,
        retryDelay,
        async request(question) {
          const begun = first;
          for (let tried = 1; ; tried++) {
            const place = (begun + tried - 1) % each.length;
            try {
              const answer = await each[place]!.request(question);
              first = place;
              return answer as never;
            } catch (error) {
              if (first === place && !isAnswer(error)) first = (place + 1) % each.length;
              if (tried === each.length || shouldThrow(error as Error)) throw error;
            }
          }
        },
      },
      { transports: each },
    );
  };
}
