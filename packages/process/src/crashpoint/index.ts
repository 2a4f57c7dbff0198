export { type Crashpoint, crashpoint } from './crashpoint.ts';
