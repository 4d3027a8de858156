/** Declarations as API Extractor reads them, with its own TypeScript. */
import { renameClashes, ts } from './typeParameters.mjs';

/**
 * What API Extractor takes as its compiler's state.
 *
 * @param types declarations of the entry
 * @param compilerOptions as in a tsconfig
 */
export function createDeclarationProgram(types, compilerOptions) {
  const { options, errors } = ts.convertCompilerOptionsFromJson(compilerOptions, '.');
  if (errors.length > 0) throw new Error(ts.flattenDiagnosticMessageText(errors[0].messageText, '\n'));
  const host = ts.createCompilerHost(options, true);
  const readFile = host.readFile.bind(host);
  const isOwn = (path) => path.endsWith('.d.ts') && !path.includes('/node_modules/');
  host.readFile = (path) => {
    const text = readFile(path);
    return text !== undefined && isOwn(path) ? renameClashes(path, text) : text;
  };
  return { program: ts.createProgram([types], options, host) };
}
