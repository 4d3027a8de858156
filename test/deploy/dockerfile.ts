/** A Dockerfile as its builder reads it: instructions in stages. */

export interface Instruction {
  /** In capitals. */
  readonly name: string;
  /** `--from=build` and the like, by name. */
  readonly flags: ReadonlyMap<string, string>;
  /** What follows, on one line. */
  readonly text: string;
}

interface Stage {
  readonly name: string;
  readonly base: string;
  readonly instructions: readonly Instruction[];
}

export interface Dockerfile {
  /** Arguments before the first stage, by name. */
  readonly args: ReadonlyMap<string, string>;
  readonly stages: readonly Stage[];
}

function parseInstruction(line: string): Instruction {
  const [, name, rest] = /^(\w+)\s+(.*)$/s.exec(line)!;
  const flags = new Map<string, string>();
  let text = rest!.trim();
  for (let flag = /^--([a-z]+)=(\S+)\s+/.exec(text); flag !== null; flag = /^--([a-z]+)=(\S+)\s+/.exec(text)) {
    flags.set(flag[1]!, flag[2]!);
    text = text.slice(flag[0].length);
  }
  return { name: name!.toUpperCase(), flags, text };
}

export function parseDockerfile(source: string): Dockerfile {
  const lines = source
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const args = new Map<string, string>();
  const stages: { name: string; base: string; instructions: Instruction[] }[] = [];
  for (const instruction of lines.map(parseInstruction)) {
    if (instruction.name === 'FROM') {
      const [base, , name = base] = instruction.text.split(/\s+/) as [string, string?, string?];
      stages.push({ name, base, instructions: [] });
    } else if (stages.length === 0) args.set(...(instruction.text.split('=', 2) as [string, string]));
    else stages.at(-1)!.instructions.push(instruction);
  }
  return { args, stages };
}

/** What an image of a stage ends up with: its own instructions behind those of the stages that it is made from. */
export function instructionsOf({ stages }: Dockerfile, name: string): Instruction[] {
  const stage = stages.find((each) => each.name === name);
  if (stage === undefined) return [];
  return [...instructionsOf({ args: new Map(), stages }, stage.base), ...stage.instructions];
}

/** The last instruction of a name, which counts. */
export function lastOf(instructions: readonly Instruction[], name: string): Instruction {
  const found = instructions.findLast((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

/** The words of an instruction in exec form. @throws Error for one that would start a shell */
export function execForm(text: string): string[] {
  const start = text.indexOf('[');
  if (start < 0) throw new Error(`${text} starts a shell`);
  return JSON.parse(text.slice(start)) as string[];
}
