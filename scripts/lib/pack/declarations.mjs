/** Declarations of a public package, one file for each entry, and the report of its API: both by API Extractor. */
import { mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { createDeclarationProgram } from './program.mjs';

/** Strict, in a browser or anywhere: the API must not lean on the types of Node. */
const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM'],
  types: [],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  declaration: true,
};

const messages = {
  compilerMessageReporting: { default: { logLevel: 'error' } },
  extractorMessageReporting: {
    default: { logLevel: 'error' },
    // There is one release stage; the version says what may change.
    'ae-missing-release-tag': { logLevel: 'none' },
    // A type that is part of the API without a name of its own is shown by the report, to be judged there.
    'ae-forgotten-export': { logLevel: 'none', addToApiReportFile: true },
    // Members whose name says all need no words.
    'ae-undocumented': { logLevel: 'none' },
    // Type parameters and links of other tools.
    'ae-unresolved-link': { logLevel: 'none' },
  },
  tsdocMessageReporting: { default: { logLevel: 'none' } },
};

const configOf = ({ folder, types, out, report }) =>
  ExtractorConfig.prepare({
    configObjectFullPath: join(folder, 'api-extractor.json'),
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      bundledPackages: ['@prime/*'],
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [types] } },
      apiReport: {
        enabled: true,
        reportFileName: basename(report),
        reportFolder: dirname(report),
        reportTempFolder: dirname(report),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: out },
      tsdocMetadata: { enabled: false },
      messages,
    },
  });

/**
 * @param folder of the package
 * @param types built declarations of one entry
 * @param out file for the rolled-up declarations
 * @param report file for the API report
 * @throws Error with what API Extractor complains about
 */
export function buildDeclarations({ folder, types, out, report }) {
  mkdirSync(dirname(report), { recursive: true });
  const complaints = [];
  const { succeeded } = Extractor.invoke(configOf({ folder, types, out, report }), {
    localBuild: true,
    compilerState: createDeclarationProgram(types, compilerOptions),
    showVerboseMessages: false,
    messageCallback: (message) => {
      message.handled = true;
      if (message.logLevel === 'error') complaints.push(message.formatMessageWithLocation(folder));
    },
  });
  if (!succeeded || complaints.length > 0) throw new Error(`the API of ${folder}:\n${complaints.join('\n')}`);
  const internal = /(?:from |import\()['"](@prime\/[^'"]+)['"]/.exec(readFileSync(out, 'utf8'));
  if (internal) throw new Error(`the declarations of ${folder} import ${internal[1]}, which is private`);
}
