import type { PageName, RouteOf } from '../router/routes.ts';

/** What a page is given: what it is about. */
export interface PageProps<name extends PageName> {
  readonly route: RouteOf<name>;
}
