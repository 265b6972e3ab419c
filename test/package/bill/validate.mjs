import { readFileSync } from 'node:fs';
import { Validation } from '@cyclonedx/cyclonedx-library';

const text = readFileSync(process.argv[2], 'utf8');
const faults = await new Validation.JsonStrictValidator(JSON.parse(text).specVersion).validate(text);
if (faults !== null) throw new Error(JSON.stringify(faults, undefined, 2));
