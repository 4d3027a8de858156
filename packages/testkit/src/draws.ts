/**
 * How much a test with drawn input draws. A commit's run takes a share that is done in seconds; nightly runs set `TEST_DRAWS` to take that many times
 * as much. Properties of fast-check are multiplied for all tests at once (scripts/lib/fastCheck.mjs); what draws by itself asks here.
 */
export const drawsOf = (count: number): number => count * Number(process.env['TEST_DRAWS'] ?? '1');
