import { describe, expect, it, jest } from '@jest/globals';
import { chromiumAtHand, isAtHand } from './programs.ts';

describe('a program that tests need', () => {
  it.each([{}, { CI: '' }, { CI: 'false' }, { CI: 'true' }])('is here: its tests run, with %j', (environment) => {
    expect(isAtHand('nginx', true, environment)).toBe(true);
  });

  it.each([{}, { CI: '' }, { CI: '0' }, { CI: 'false' }])('is missing: that is said, with %j', (environment) => {
    const said = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
    expect(isAtHand('nginx', false, environment)).toBe(false);
    expect(said).toHaveBeenCalledWith('skipped: nginx is not installed (.ci/programs installs it)\n');
    said.mockRestore();
  });

  it.each([{ CI: 'true' }, { CI: '1' }])('is missing in CI: a failure that names it, with %j', (environment) => {
    expect(() => isAtHand('nginx', false, environment)).toThrow(
      'nginx is not installed, and CI skips no test: .ci/programs installs what tests need',
    );
  });

  it('the browser that CHROMIUM names comes first', () => {
    expect(chromiumAtHand({ CHROMIUM: process.execPath })?.executablePath).toBe(process.execPath);
  });
});
