//! The protocols as a model to be checked: where it begins, what can happen, and what must hold in every state.

use crate::guard::Guard;
use crate::job::JobState;
use crate::step::Step;
use crate::world::{Action, Budget, ITEMS, World};
use stateright::{Model, Property};

/// The model, perhaps without some guards.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// How much may happen.
    pub budget: Budget,
    /// What is left out.
    pub without: Vec<Guard>,
}

impl Protocol {
    fn possible(&self, world: &World) -> Vec<Action> {
        let of_two = |action: fn(usize) -> Action| [action(0), action(1)];
        let numbered: [fn(usize) -> Action; 10] = [
            Action::Open,
            Action::Put,
            Action::Hear,
            Action::Finish,
            Action::HalfClose,
            Action::Claim,
            Action::Begin,
            Action::Complete,
            Action::Release,
            Action::Expire,
        ];
        let single = [Action::Cancel, Action::Delete, Action::Again, Action::FailIdle, Action::Flush, Action::Crash];
        let all = numbered.into_iter().flat_map(of_two).chain(single);
        all.filter(|&action| Step::take(world, action, &self.without).is_some()).collect()
    }
}

impl Model for Protocol {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        vec![World::new(self.budget)]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Action>) {
        actions.extend(self.possible(world));
    }

    fn next_state(&self, world: &World, action: Action) -> Option<World> {
        Step::take(world, action, &self.without)
    }

    fn properties(&self) -> Vec<Property<Protocol>> {
        vec![
            Property::always("no acknowledged input is lost", |_, world: &World| {
                world.now.job.is_none_or(|job| job.stored >= world.promised.stored)
            }),
            Property::always("no stored result is lost", |_, world: &World| {
                let kept = |(promised, stored): (&bool, &u8)| !promised || *stored > 0;
                world.promised.results.iter().zip(&world.now.results).all(kept)
            }),
            Property::always("no result is doubled", |_, world: &World| {
                let stored: u64 = world.now.results.iter().map(|&times| u64::from(times)).sum();
                world.now.results.iter().all(|&times| times <= 1) && world.now.job.is_none_or(|job| job.done == stored)
            }),
            Property::always("no stale lease stores", |_, world: &World| !world.promised.stale),
            Property::always("no stream that was taken over writes", |_, world: &World| !world.promised.fenced),
            Property::always("no job runs short", |_, world: &World| {
                let sealed = |state| matches!(state, JobState::Queued | JobState::Running | JobState::Succeeded);
                world.now.job.is_none_or(|job| !sealed(job.state) || job.total == Some(ITEMS))
            }),
            Property::always("a success is whole", |_, world: &World| {
                let short = |state, done| state == JobState::Succeeded && done != u64::from(ITEMS);
                world.now.job.is_none_or(|job| !short(job.state, job.done))
            }),
            Property::always("nothing is stored after a cancel", |_, world: &World| {
                world.promised.cancelled_at.is_none_or(|done| world.now.job.is_none_or(|job| job.done == done))
            }),
            Property::always("an end is final", |_, world: &World| {
                world.promised.ended.is_none_or(|ended| world.now.job.is_none_or(|job| job.state == ended))
            }),
            // Every run ends, since all that could go on for ever has a budget.
            Property::always("every sealed job ends", |model: &Protocol, world: &World| {
                let waits = |state: JobState| state.is_final() || state == JobState::Uploading;
                world.now.job.is_none_or(|job| waits(job.state)) || !model.possible(world).is_empty()
            }),
            Property::sometimes("a job succeeds", |_, world: &World| {
                world.now.job.is_some_and(|job| job.state == JobState::Succeeded)
            }),
            Property::sometimes("a second job of the same request id succeeds", |_, world: &World| {
                world.now.id == 2 && world.now.job.is_some_and(|job| job.state == JobState::Succeeded)
            }),
        ]
    }
}
