// Stand-in for compiling and executing a graph: all checks, both shape inferers and the layers, in onert's order.
#ifndef OPKG_ONERT_RUNTIME_H_
#define OPKG_ONERT_RUNTIME_H_

#include "onert/core.h"

namespace onert::exec {

struct Executors {
  const ir::OperandInfo& outputInfo(const ir::IOIndex& index) const {
    return graph->operands().at(graph->getOutputs().at(index)).info();
  }
  std::shared_ptr<ir::Graph> graph;
};

class Execution {
 public:
  explicit Execution(const std::shared_ptr<Executors>& executors);
  void changeInputShape(const ir::IOIndex& index, const ir::Shape& shape);
  void setInput(const ir::IOIndex& index, const void* buffer, size_t length);
  void setOutput(const ir::IOIndex& index, void* buffer, size_t length);
  void execute();
  const ir::OperandInfo& outputInfo(const ir::IOIndex& index);

 private:
  struct Result {
    void* data;
    size_t size;
  };
  std::shared_ptr<Executors> executors_;
  std::shared_ptr<backend::ITensorRegistry> tensors_;
  std::vector<Result> results_;
};

}  // namespace onert::exec

namespace onert::compiler {

struct CompilerOptions {
  static std::unique_ptr<CompilerOptions> fromGlobalConfig() { return std::make_unique<CompilerOptions>(); }
};

struct CompilerArtifact {
  std::shared_ptr<exec::Executors> _executors;
};

class ICompiler {
 public:
  explicit ICompiler(std::unique_ptr<ir::NNPkg> package) : package_(std::move(package)) {}
  std::unique_ptr<CompilerArtifact> compile();

 private:
  std::unique_ptr<ir::NNPkg> package_;
};

class CompilerFactory {
 public:
  static CompilerFactory& get();
  std::unique_ptr<ICompiler> create(std::unique_ptr<ir::NNPkg> package, CompilerOptions*) {
    return std::make_unique<ICompiler>(std::move(package));
  }
};

}  // namespace onert::compiler

#endif  // OPKG_ONERT_RUNTIME_H_
