import { definitions, type MethodDefinition } from '@prime/rpc';
import type { Command } from 'commander';
import { RpcRequestError } from 'viem';
import { type NodeFlags, onNode, withNode } from '../../client/connect.ts';
import { nearestNames, toParameter } from '../../client/rpcParams.ts';
import { type CliError, notFound } from '../../errors.ts';

/** `prime rpc`: any method of a node, as it is. */
export function addRpcCommand(program: Command): void {
  withNode(program.command('rpc'))
    .description('Call a JSON-RPC method of a node; without a method, list them all')
    .argument('[method]', 'its name, such as eth_blockNumber')
    .argument('[params...]', 'words, whole numbers or JSON, in the order of the method')
    .option('--describe', 'say what the method takes and answers instead of calling it')
    .action(run);
}

async function run(
  name: string | undefined,
  words: readonly string[],
  flags: NodeFlags & { readonly describe?: boolean },
): Promise<void> {
  if (name === undefined) return list(flags);
  const definition = definitions.find((each) => each.name === name) ?? null;
  if (flags.describe === true) return describe(name, definition);
  const params = words.map((word, index) => {
    const parameter = definition?.params[index];
    return toParameter(word, parameter?.name ?? `parameter ${index + 1}`, parameter?.type.schema ?? null);
  });
  const result = await onNode(flags, ({ client }) =>
    // A node that has the method under no such name says so; its words come with the names that may be meant.
    (client.request as (call: object, options: object) => Promise<unknown>)(
      { method: name, params },
      { retryCount: 0 },
    ).catch((thrown: unknown) => {
      throw unknownMethod(name, definition, thrown) ?? thrown;
    }),
  );
  // Text alone is easier to use in a shell without its quotes.
  console.log(typeof result === 'string' && flags.json !== true ? result : JSON.stringify(result, null, 2));
}

const methodNotFound = -32_601;

function unknownMethod(name: string, definition: MethodDefinition | null, thrown: unknown): CliError | null {
  const walk = (thrown as { walk?: (is: (error: unknown) => boolean) => unknown }).walk?.bind(thrown);
  const answered = walk?.((error) => error instanceof RpcRequestError) as RpcRequestError | null | undefined;
  if (definition !== null || answered?.code !== methodNotFound) return null;
  return notThere(name, answered);
}

function notThere(name: string, cause?: unknown): CliError {
  const near = nearestNames(
    name,
    definitions.map((each) => each.name),
  );
  const hint = near.length === 0 ? 'prime rpc lists them' : `did you mean ${near.join(' or ')}?`;
  return notFound(`there is no method ${name}; ${hint}`, name, { cause });
}

function list({ json = false }: NodeFlags): void {
  if (json)
    return console.log(
      JSON.stringify(
        definitions.map(({ name, summary }) => ({ name, summary })),
        null,
        2,
      ),
    );
  const width = Math.max(...definitions.map(({ name }) => name.length));
  for (const { name, summary } of definitions) console.log(`${name.padEnd(width)}  ${summary}`);
}

function describe(name: string, definition: MethodDefinition | null): void {
  if (definition === null) throw notThere(name);
  const { summary, params, errors, examples } = definition;
  const hintOf = (schema: object): string => String((schema as { 'x-hint'?: string })['x-hint'] ?? '');
  console.log(`${name}: ${summary}`);
  for (const { name: parameter, required, type } of params)
    console.log(`  ${required ? parameter : `[${parameter}]`}  ${hintOf(type.schema)}`.trimEnd());
  if (errors.length > 0) console.log(`errors: ${errors.join(', ')}`);
  for (const { situation, params: given, result } of examples) {
    const words = given.map((value) => (typeof value === 'string' ? value : `'${JSON.stringify(value)}'`));
    console.log(
      `example${situation === undefined ? '' : ` (${situation})`}: ${['prime rpc', name, ...words].join(' ')}`,
    );
    console.log(`  ${JSON.stringify(result)}`);
  }
}
