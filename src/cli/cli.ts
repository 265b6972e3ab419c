#!/usr/bin/env node
import { runCommand } from '../emulator/command/command.ts';

const [command, ...args] = process.argv.slice(2);
if (command === 'doctor') {
  // Apart, so that the emulator does not load the client.
  const { runDoctor } = await import('../doctor/run-doctor.ts');
  process.exitCode = await runDoctor(args);
} else {
  process.exitCode = await runCommand(process.argv.slice(2));
}
