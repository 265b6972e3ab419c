import { runSuite } from '../suite.ts';

// A page has no exports: whoever drives the browser calls this by name.
Object.assign(globalThis, { runSuite });
