import { compareReports, comparisonText, parseReport } from '@prime/load';
import { exitCode } from '@prime/node';
import { readGiven } from '../files.ts';

/** `prime load compare`: ends with 1 where the runs have no figures to compare. @throws CliError, LoadError `LOAD_REPORT_…` */
export async function compare(a: string, b: string, { json = false }: { readonly json?: boolean }): Promise<void> {
  const [first, second] = await Promise.all([a, b].map(async (file) => parseReport(await readGiven(file, file))));
  const comparison = compareReports(first!, second!);
  console.log(json ? JSON.stringify(comparison) : comparisonText(comparison).trimEnd());
  if (comparison.withheld.length > 0) process.exitCode = exitCode.notProven;
}
