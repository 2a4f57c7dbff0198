export { builtServices } from './built-services.ts';
export { buildDocsSite, docsSiteFolder } from './docs-site.ts';
export type { Built } from './programs.ts';
