import { describe, expect, it } from '@jest/globals';
import { dayPages, notTyped } from '../../e2e/operations/operatorsDay.ts';
import { commandsOf, fencesOf } from '../../e2e/operations/pages.ts';
import { filesBelow, readText } from '../repository.ts';

/** What operators are told to type is typed by a test, or somebody said why not. */

/** The drills of a page of its own run in a test of their own. */
const others = ['docs/operate/drills.md', 'docs/operate/mark-drill.md'];
const pages = [
  'docs/operator.md',
  'docs/testnet.md',
  ...filesBelow('docs/operate').filter((path) => path.endsWith('.md') && !others.includes(path)),
];

describe('commands in the pages for operators', () => {
  it('are marked as such', () => {
    const unmarked = pages
      .flatMap(fencesOf)
      .filter(
        ({ language, lines }) => language !== 'sh' && lines.some((line) => /^(?:\$ )?(?:prime|curl) /.test(line)),
      );
    expect(unmarked).toEqual([]);
  });

  it('are typed by the day of an operator in the order of each page, or listed with the reason', () => {
    // The chapters stand in the order of the day, and name page and first words of all that they type.
    const source = readText('test/e2e/operations/operatorsDay.ts');
    const typed = [...source.matchAll(/\b(?:type\(|says\(day, )(\w+), (['"])(.*?)\2/g)].map(([, name, , begins]) => ({
      page: dayPages[name as keyof typeof dayPages],
      begins: begins!,
    }));
    const left = pages.flatMap((page) => {
      const steps = typed.filter((step) => step.page === page);
      return commandsOf(page)
        .filter(({ lines }) => !notTyped.some((one) => one.page === page && lines[0]!.startsWith(one.begins)))
        .filter(({ lines }) => !lines[0]!.startsWith(steps.shift()?.begins ?? '\n'))
        .map(({ line, lines }) => `${page}:${line} ${lines[0]}`);
    });
    expect(left).toEqual([]);
  });

  it('that are listed are in their pages', () => {
    const gone = notTyped.filter(
      ({ page, begins }) => !commandsOf(page).some(({ lines }) => lines[0]!.startsWith(begins)),
    );
    expect(gone).toEqual([]);
  });
});
