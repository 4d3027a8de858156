#!/usr/bin/env node
// What npm links as `prime`: it is there before the first build, without which npm would link nothing.
import { existsSync } from 'node:fs';

const program = new URL('../dist/main.js', import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  process.stderr.write('prime: this clone is not built yet: npm run build [CLI_USAGE]\n');
  process.exitCode = 64;
}
