export { type Artifact, compileContract } from './compile.ts';
export { junkMnemonic, runStory, type StoryOptions, type StoryResult } from './story.ts';
