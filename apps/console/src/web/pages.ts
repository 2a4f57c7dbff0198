import type { PageRow } from './page-row.ts';

/** Pages in the order of their links. */
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
    path: '/approvals',
    procedure: 'approvals.list',
    link: { group: 'now', label: { en: 'Approvals', es: 'Aprobaciones' }, key: 'b' },
    load: () => import('./pages/approvals/approvals-page.tsx'),
  },
  {
    path: '/approvals/$approvalId',
    procedure: 'approvals.get',
    load: () => import('./pages/approvals/approval-page.tsx'),
  },
  {
    path: '/requests',
    procedure: 'requests.search',
    link: { group: 'records', label: { en: 'Requests', es: 'Solicitudes' }, key: 'r' },
    load: () => import('./pages/requests/requests-page.tsx'),
  },
  {
    path: '/requests/$requestId',
    procedure: 'requests.get',
    load: () => import('./pages/requests/request-page.tsx'),
  },
  {
    path: '/holdings',
    procedure: 'requests.holdings',
    load: () => import('./pages/requests/holdings-page.tsx'),
  },
  {
    path: '/certificates',
    procedure: 'certificates.search',
    link: { group: 'records', label: { en: 'Certificates', es: 'Certificados' }, key: 'c' },
    load: () => import('./pages/certificates/certificates-page.tsx'),
  },
  {
    path: '/certificates/$certificateId',
    procedure: 'certificates.get',
    load: () => import('./pages/certificates/certificate-page.tsx'),
  },
  {
    path: '/deliveries',
    procedure: 'deliveries.search',
    link: { group: 'records', label: { en: 'Webhooks', es: 'Webhooks' }, key: 'w' },
    load: () => import('./pages/deliveries/deliveries-page.tsx'),
  },
  {
    path: '/deliveries/$deliveryId',
    procedure: 'deliveries.get',
    load: () => import('./pages/deliveries/delivery-page.tsx'),
  },
  {
    path: '/destinations',
    procedure: 'deliveries.destinations',
    load: () => import('./pages/deliveries/destinations-page.tsx'),
  },
  {
    path: '/messages',
    procedure: 'messages.search',
    link: { group: 'records', label: { en: 'Messages', es: 'Mensajes' }, key: 'm' },
    load: () => import('./pages/messages/messages-page.tsx'),
  },
  {
    path: '/audit',
    procedure: 'audit.list',
    link: { group: 'records', label: { en: 'Audit', es: 'Auditoría' }, key: 'u' },
    load: () => import('./pages/audit/audit-page.tsx'),
  },
  {
    path: '/service-levels',
    procedure: 'reports.serviceLevels',
    link: { group: 'records', label: { en: 'Reports', es: 'Informes' }, key: 's' },
    load: () => import('./pages/reports/service-levels-page.tsx'),
  },
  {
    path: '/usage',
    procedure: 'reports.usage',
    load: () => import('./pages/reports/usage-page.tsx'),
  },
  {
    path: '/partners',
    procedure: 'partners.list',
    link: { group: 'settings', label: { en: 'Partners', es: 'Terceros' }, key: 'p' },
    load: () => import('./pages/partners/partners-page.tsx'),
  },
  {
    path: '/partners/$partnerId',
    procedure: 'partners.get',
    load: () => import('./pages/partners/partner-page.tsx'),
  },
  {
    path: '/terms',
    procedure: 'terms.list',
    link: { group: 'settings', label: { en: 'Terms', es: 'Términos' }, key: 't' },
    load: () => import('./pages/terms/terms-page.tsx'),
  },
  {
    path: '/terms/$termsId',
    procedure: 'terms.list',
    load: () => import('./pages/terms/version-page.tsx'),
  },
  {
    path: '/operators',
    procedure: 'operators.list',
    link: { group: 'settings', label: { en: 'Operators', es: 'Operadores' }, key: 'e' },
    load: () => import('./pages/operators/operators-page.tsx'),
  },
  {
    path: '/operators/$operatorId',
    procedure: 'operators.get',
    load: () => import('./pages/operators/operator-page.tsx'),
  },
  {
    path: '/authorities',
    procedure: 'authorities.list',
    link: { group: 'settings', label: { en: 'Authorities', es: 'Autoridades' }, key: 'h' },
    load: () => import('./pages/authorities/authorities-page.tsx'),
  },
  {
    path: '/account',
    procedure: 'auth.sessions',
    link: { group: 'settings', label: { en: 'My account', es: 'Mi cuenta' }, key: 'a' },
    load: () => import('./pages/account/account-page.tsx'),
  },
];
