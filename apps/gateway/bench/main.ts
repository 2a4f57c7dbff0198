import { besideOthers } from './beside-others.ts';

await besideOthers();
