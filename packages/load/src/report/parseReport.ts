import { Ajv } from 'ajv';
import { LoadError } from '../errors.ts';
import { LatencyHistogram } from '../histogram.ts';
import { reportFormat, type RunReport, runReportSchema } from './runReport.ts';

/** A day with a step a second and a hundred validators takes about half of it. */
const reportCharactersMax = 512 * 1024 * 1024;

const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile<RunReport>(runReportSchema);

/**
 * Reads the JSON of a report.
 *
 * @throws LoadError `LOAD_REPORT_FORMAT` for a report of another version; `LOAD_REPORT_MALFORMED` with the first place that is wrong for what is none
 */
export function parseReport(text: string): RunReport {
  if (text.length > reportCharactersMax) malformed('', `it is longer than ${reportCharactersMax} characters`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return malformed('', `it is no JSON: ${(error as Error).message}`, error);
  }
  const { format } = (typeof value === 'object' && value !== null ? value : {}) as { readonly format?: unknown };
  if (typeof format !== 'string') malformed('/format', 'it has none');
  if (format !== reportFormat)
    throw new LoadError(`a report of the format ${format}, where ${reportFormat} is known`, {
      code: 'LOAD_REPORT_FORMAT',
      format,
    });
  if (!validate(value)) {
    const [error] = validate.errors!;
    const { allowedValues, additionalProperty } = error!.params as {
      readonly allowedValues?: readonly unknown[];
      readonly additionalProperty?: string;
    };
    const allowed = allowedValues === undefined ? '' : ` (${allowedValues.join(', ')})`;
    const unknown = additionalProperty === undefined ? '' : ` (${additionalProperty})`;
    malformed(error!.instancePath, `it ${error!.message}${allowed}${unknown}`);
  }
  checkHistograms(value);
  return value;
}

function malformed(path: string, reason: string, cause?: unknown): never {
  const place = path === '' ? 'the report' : path;
  throw new LoadError(
    `no report of a run: ${place}: ${reason}`,
    { code: 'LOAD_REPORT_MALFORMED', path, reason },
    { cause },
  );
}

/** A report whose histograms can not be read is found out here, and not when its page is half written. */
function checkHistograms({ histograms, windows }: RunReport): void {
  const texts = [
    ...Object.entries(histograms).map(([name, text]) => [`/histograms/${name}`, text] as const),
    ...windows.flatMap((window, index) => [
      [`/windows/${index}/acknowledgedHistogram`, window.acknowledgedHistogram] as const,
      [`/windows/${index}/visibleHistogram`, window.visibleHistogram] as const,
    ]),
  ];
  for (const [path, text] of texts) {
    try {
      LatencyHistogram.decode(text);
    } catch (error) {
      malformed(path, (error as Error).message, error);
    }
  }
}
