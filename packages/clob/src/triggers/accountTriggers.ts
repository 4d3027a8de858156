import type { OrderId } from '@prime/primitives';

/** Which triggers an account has. */
export class AccountTriggers {
  /** In no order. */
  readonly ids = new Set<OrderId>();
  readonly byClientId = new Map<string, OrderId>();
  /** How many go with their position. */
  ofPosition = 0;
}
