/** Loads the SDK as a program does, and prints what it exports: names and kinds. */
import * as sdk from '@prime/sdk';

const exported: Readonly<Record<string, unknown>> = sdk;
console.log(JSON.stringify(Object.fromEntries(Object.entries(exported).map(([name, value]) => [name, typeof value]))));
