import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Argument, Command, Option } from 'commander';
import { completionScript } from './scripts.ts';
import { placesOf } from './words.ts';

function program(): Command {
  const made = new Command('prime');
  const order = made.command('order').description("An owner's orders. Second sentence.");
  order
    .command('place')
    .addArgument(new Argument('<side>').choices(['buy', 'sell']))
    .addOption(new Option('--tif <tif>').choices(['gtc', 'ioc']))
    .option('--post-only', 'rests')
    .option('--key-file <file>', 'a file');
  made.command('rpc').argument('[method]').option('--json');
  return made;
}
const places = placesOf(program(), {
  rpc: [
    { text: 'eth_call', about: 'Runs. Long.' },
    { text: 'eth_chainId', about: '' },
  ],
});

describe('what can be typed', () => {
  it('behind a word of the first argument the options go on, and the words do not', () => {
    const at = (path: string) => places.find((place) => place.path === path);
    expect(at('rpc')?.words.map(({ text }) => text)).toEqual(['eth_call', 'eth_chainId']);
    expect(at('rpc eth_call')).toMatchObject({ words: [], options: [{ text: '--json' }, { text: '--help' }] });
    expect(at('order')?.words).toEqual([{ text: 'place', about: '' }]);
  });

  it('is told in one sentence', () => {
    expect(places[0]?.words.map(({ about }) => about)).toEqual(["An owner's orders", '']);
  });
});

/** What bash offers behind these words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const script = `${completionScript('bash', places)}
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _prime; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script, 'bash', ...words]);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
  it.each([
    [
      ['prime', ''],
      ['order', 'rpc'],
    ],
    [['prime', 'or'], ['order']],
    [
      ['prime', 'order', 'place', ''],
      ['buy', 'sell'],
    ],
    [
      ['prime', 'order', 'place', 'buy', '--'],
      ['--tif', '--post-only', '--key-file', '--help'],
    ],
    [
      ['prime', 'order', 'place', 'buy', '--tif', ''],
      ['gtc', 'ioc'],
    ],
    [['prime', 'order', 'place', 'buy', '--tif', 'g'], ['gtc']],
    [['prime', 'order', 'place', '--post-only', 's'], ['sell']],
    [
      ['prime', 'rpc', 'eth_c'],
      ['eth_call', 'eth_chainId'],
    ],
    [['prime', 'rpc', 'eth_call', '--j'], ['--json']],
    [['prime', 'rpc', 'eth_call', ''], []],
    [['prime', 'order', 'place', '--key-file', ''], []],
    [['prime', 'nosuch', 'x'], []],
  ])('%j: %j', async (words, expected) => {
    expect(await offered(...words)).toEqual(expected);
  });
});

describe('scripts of the other shells', () => {
  it.each(['zsh', 'fish'] as const)('%s: have every place and word, with quotes that the shell reads back', (shell) => {
    const script = completionScript(shell, places);
    for (const { path } of places.slice(1)) expect(script).toContain(`'${path}'`);
    expect(script).toContain(shell === 'fish' ? "An owner\\'s orders" : "An owner'\\''s orders");
  });
});
