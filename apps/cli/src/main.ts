#!/usr/bin/env node
/**
 * Entry of the `prime` command. The build puts the program and the threads of a node into few files, which start in half the time
 * (docs/adr/0074-bundled-programs.md); where it could not, the program runs from its modules.
 */
import { existsSync } from 'node:fs';

const bundled = new URL('./bundle/prime.js', import.meta.url);
const program = existsSync(bundled) ? bundled : new URL('./prime.js', import.meta.url);
await import(program.href);
