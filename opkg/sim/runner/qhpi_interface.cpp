// QHPI packages in opkg-host: registration, and the stages of one case.
// SPDX-License-Identifier: Apache-2.0
#include "interface.h"
#include "progress.h"
#include "qhpi_execute.h"
#include "qhpi_registry.h"

namespace opkg {
namespace {

class QhpiInterface : public Interface {
 public:
  Outcome load(const Package& package) override {
    const auto init = reinterpret_cast<const char* (*)()>(package.symbol("qhpi_init"));
    if (init == nullptr) return Outcome::error("register", 4005, "the library exports no qhpi_init");
    progress().at("register", "qhpi_init");
    const char* name = init();
    if (!registrationRefusal().empty()) return Outcome::error("register", 1100, registrationRefusal());
    if (name == nullptr || package.name() != name) {
      LogCapture::add(2, std::string("qhpi_init returns ") + (name != nullptr ? name : "null") +
                             ", the QNN interface says " + package.name());
    }
    warnAboutUnregistered(package);
    return Outcome();
  }

  std::unique_ptr<Interface> another() const override { return std::make_unique<QhpiInterface>(); }

  Outcome prepare(const Package&, const Case& test, CaseResult* result) override {
    Outcome outcome = composeGraph(test, &graph_);
    if (outcome.ok()) outcome = rewriteGraph(&graph_, true, result);
    if (outcome.ok()) outcome = tileGraph(&graph_, result);
    graph_.separateInputs();
    if (outcome.ok()) outcome = rewriteGraph(&graph_, false, result);
    if (outcome.ok()) outcome = chooseKernels(&graph_, result);
    if (!outcome.ok()) return outcome;
    execution_ = std::make_unique<QhpiExecution>(&graph_, test);
    return execution_->precompute(result);
  }

  Outcome execute(const Case&, const CallStyle& style, CaseResult* result, Outputs* outputs) override {
    const Outcome outcome = execution_->execute(style, result);
    if (!outcome.ok()) return outcome;
    for (const QhpiGraph::Output& output : graph_.outputs) {
      std::vector<uint8_t> bytes = execution_->value(output.ref);
      const Arrival kind = arrival(output.tensor->dtype);
      const uint64_t wanted = elementCount(output.tensor->dims) * qnnTypeSize(output.tensor->dtype);
      if (bytes.size() != wanted) {
        return Outcome::error("execute", 1100,
                              output.tensor->name + ": the graph made " + std::to_string(bytes.size()) +
                                  " bytes, the output has " + std::to_string(wanted));
      }
      const QHPI_Element_Type made = qhpi_op_output(output.ref.op, output.ref.output_number).type;
      if (made == kind.type) shiftElements(&bytes, elementSize(kind.type), kind.zero_shift);
      outputs->push_back(std::move(bytes));
    }
    return Outcome();
  }

 private:
  static void warnAboutUnregistered(const Package& package) {
    for (uint32_t i = 0; i < package.info().numOperations; ++i) {
      const std::string name = package.name() + "::" + package.info().operationNames[i];
      if (findRegisteredOp(name) == nullptr)
        LogCapture::add(2, name + " is listed by getInfo but was not registered");
    }
  }

  QhpiGraph graph_;
  std::unique_ptr<QhpiExecution> execution_;
};

}  // namespace

Interface* makeQhpiInterface() { return new QhpiInterface; }

}  // namespace opkg
