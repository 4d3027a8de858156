/** `trade.ts` as a program: settings as JSON from the environment, and what came of it printed. */
import { type Setting, trade } from './trade.js';

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
console.log(JSON.stringify(await trade(JSON.parse(process.env['SETTING']!) as Setting)));
