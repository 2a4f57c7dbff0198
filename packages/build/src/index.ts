export { builtServices } from './built-services.ts';
export type { Built } from './programs.ts';
