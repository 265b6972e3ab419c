import { makeStep } from '../step.ts';

export const activities = { step: makeStep(true) };
