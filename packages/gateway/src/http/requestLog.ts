import type { RequestContext, RequestLog, Surface } from '@prime/rpc';
import type { Callers } from '../access/callers.ts';
import type { HttpServerOptions, RequestHead } from './httpServer.ts';
import type { HttpContext } from './rpcHttp.ts';

/** What was answered before anything of its body was looked at: no request of JSON-RPC, a caller without a key, a body that is too large. */
export interface TurnedAway {
  readonly surface: Surface;
  readonly transport: RequestContext['transport'];
  /** Null where the head of the request was no HTTP. */
  readonly address: string | null;
  /** Code and words: `401 Unauthorized`. */
  readonly status: string;
}

/** The dispatcher's log, and what does not come as far as the dispatcher. */
export interface GatewayRequestLog extends RequestLog {
  turnedAway(line: TurnedAway): void;
}

interface Parts {
  readonly surface: Surface;
  readonly callers: Callers;
  readonly log: GatewayRequestLog | undefined;
}

type Options = HttpServerOptions<HttpContext, RequestContext>;

/** The server's options, with a line of the log for each request that they turn away. */
export function tellTurnedAway(options: Options, { surface, callers, log }: Parts): Options {
  if (log === undefined) return options;
  const { webSocket } = options;
  const tell = (transport: RequestContext['transport'], status: string, address: () => string | null): void => {
    if (log.isOn) log.turnedAway({ surface, transport, address: address(), status });
  };
  const from = (head: RequestHead) => (): string => callers.addressOf(head);
  return {
    ...options,
    accept: (head) => {
      const decision = options.accept(head);
      if (decision.kind === 'answer') tell('http', decision.answer.status, from(head));
      return decision;
    },
    refuse: (context, refusal) => {
      const answer = options.refuse(context, refusal);
      tell('http', answer.status, () => context.request.client.address);
      return answer;
    },
    malformed: (fault) => {
      const answer = options.malformed(fault);
      tell('http', answer.status, () => null);
      return answer;
    },
    webSocket: {
      ...webSocket,
      accept: (head) => {
        const decision = webSocket.accept(head);
        if (decision.kind === 'refuse') tell('webSocket', decision.answer.status, from(head));
        return decision;
      },
    },
  };
}
