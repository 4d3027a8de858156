/** Every built-in scenario of `prime load` against four validators. */
import { builtInNames } from '@prime/load';
import { testScenarios } from '../../e2e/load/scenarioRuns.ts';

testScenarios(builtInNames());
