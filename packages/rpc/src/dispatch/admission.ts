import type { MethodDefinition } from '../define.ts';
import type { RequestContext } from './requestContext.ts';

/** Decides call by call whether there is room for it: what its client may do, and how busy the node is. */
export interface Admission {
  /**
   * Takes a place for a call.
   *
   * @throws RpcError `RPC_RATE_LIMITED`, `RPC_OVERLOADED`, `RPC_METHOD_NOT_PERMITTED`
   */
  enter(definition: MethodDefinition, request: RequestContext): void;
  /** Gives the place back; once for each `enter` that did not throw. */
  leave(request: RequestContext): void;
}

/** Room for everyone. */
export const openAdmission: Admission = { enter: () => undefined, leave: () => undefined };
