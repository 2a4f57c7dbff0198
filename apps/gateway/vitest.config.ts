import { packageTests } from '../../vitest.shared.ts';

export default packageTests({ processes: 2 });
