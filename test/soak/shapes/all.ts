import type { Shape } from '../scene.ts';
import { bookShapes } from './books.ts';
import { bridgeShapes } from './bridge.ts';
import { evmShapes } from './evm.ts';
import { signedShapes } from './signed.ts';
import { tradingShapes } from './trading.ts';

/** Every pattern of use that a run is made of. */
export const allShapes: readonly Shape[] = [
  ...bookShapes,
  ...tradingShapes,
  ...bridgeShapes,
  ...signedShapes,
  ...evmShapes,
];
