import { serviceProgram } from '@rubrica/process/program';

await serviceProgram('console', {
  serve: { about: 'runs the service', load: () => import('./serve.ts') },
});
