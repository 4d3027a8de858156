import type { ActionPayload, ClobParams } from '@prime/codec';
import type { Harness, Step } from './harness.ts';

/** An action that is refused, and with what. */
export interface RefusalCase {
  readonly name: string;
  readonly code: string;
  readonly words: string;
  readonly payload: ActionPayload;
  /** What the action has besides its payload and its account. */
  readonly more?: (harness: Harness) => Partial<Step>;
  /** What the network has besides the scene's. */
  readonly params?: Partial<ClobParams>;
  /** What happens before it. */
  readonly prepare?: (harness: Harness) => void;
}
