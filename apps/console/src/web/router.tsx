import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import type { PageRow } from './page-row.ts';
import { pages } from './pages.ts';
import { NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

function createPageRoute({ path, load }: PageRow): AnyRoute {
  return createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) });
}

/** Router of the table of pages. The query is plain text, so that an address can be typed. */
export const router = createRouter({
  routeTree: root.addChildren(pages.map(createPageRoute)),
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultPreload: 'intent',
  scrollRestoration: true,
});
