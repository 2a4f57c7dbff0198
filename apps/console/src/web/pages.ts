import type { PageRow } from './page-row.ts';

/** Every page, in the order of the links. */
export const pages: readonly PageRow[] = [
  {
    path: '/',
    procedure: 'overview',
    link: { group: 'now', label: { en: 'Overview', es: 'Resumen' }, key: 'o' },
    load: () => import('./pages/overview/overview-page.tsx'),
  },
  {
    path: '/review',
    procedure: 'reviews.queue',
    link: { group: 'now', label: { en: 'Review', es: 'Revisión' }, key: 'q' },
    load: () => import('./pages/review/queue-page.tsx'),
  },
  {
    path: '/review/$requestId',
    procedure: 'reviews.get',
    load: () => import('./pages/review/case-page.tsx'),
  },
  {
    path: '/requests',
    procedure: 'requests.search',
    link: { group: 'records', label: { en: 'Requests', es: 'Solicitudes' }, key: 'r' },
    load: () => import('./pages/requests/requests-page.tsx'),
  },
  {
    path: '/account',
    procedure: 'auth.sessions',
    link: { group: 'settings', label: { en: 'My account', es: 'Mi cuenta' }, key: 'a' },
    load: () => import('./pages/account/account-page.tsx'),
  },
];
