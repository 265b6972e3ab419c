import { runSuite } from '../suite.ts';

// Node, Bun and Deno: the surroundings come as an argument, the results go out as a line, and the process then has to
// end by itself.
runSuite(JSON.parse(process.argv[2] ?? '{}')).then((results) => console.log(JSON.stringify(results)));
