import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../../define.ts';
import { filterId } from '../../../streams/filters.ts';
import { sample } from '../../../schema/samples.ts';

/** Whoever knows the id may remove the filter. */
export const uninstallFilter = defineMethod({
  name: 'eth_uninstallFilter',
  summary: 'Removes a filter; true when it existed.',
  params: [required('filterId', filterId)],
  result: Type.Boolean(),
  privacy: 'public',
  examples: [{ params: [sample.filterId], result: true }],
  handler: async ({ ports }, id) => ports.filters.uninstall(id),
});
